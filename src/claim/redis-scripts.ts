/**
 * The two later writes of a claim. Each compares the token before it writes, runs as one atomic step, and touches one key, so
 * that it runs on any slot of a cluster.
 */
import { hash } from 'node:crypto';

export interface RedisScript {
  readonly lua: string;
  /** SHA-1, by which a server knows a script that it has run before. */
  readonly sha: string;
}

function script(lua: string): RedisScript {
  return { lua, sha: hash('sha1', lua, 'hex') };
}

/** Time and token of a claim, pending or committed; nothing for any other value, as `parseClaimValue` reads it. */
const held = `
local function held(value)
  if not value then return end
  local at, token = string.match(value, '^p|(%-?%d+)|([^|]+)$')
  if not at then at, token = string.match(value, '^c|(%-?%d+)|([^|]+)|.+$') end
  return at, token
end
`;

/**
 * KEYS[1] the claim. ARGV[1] token, ARGV[2] entry id.
 * 1: it is held by this token, and says committed now; its time goes on as it was. 0: it is not, and nothing changed.
 */
export const settleScript = script(`${held}
local at, token = held(redis.call('GET', KEYS[1]))
if token ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], 'c|' .. at .. '|' .. token .. '|' .. ARGV[2], 'KEEPTTL')
return 1
`);

/**
 * KEYS[1] the claim. ARGV[1] token of the present holder, ARGV[2] value of the newcomer, ARGV[3] its time to live in ms.
 * 1: it was held by that token, pending or committed, and is the newcomer's now. 0: it was not, and nothing changed.
 */
export const moveOnScript = script(`${held}
local _, token = held(redis.call('GET', KEYS[1]))
if token ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`);
