/** What happens on the way: between clients, workers, Redis, its replica and PostgreSQL. */
import type { FaultyLink } from '../servers/faulty-link.ts';
import type { LinkFault, LinkFaultScope } from '../servers/link-fault.ts';
import type { FaultKind, FaultPlace } from './fault.ts';
import type { Ground } from './ground.ts';

type Duration = FaultKind['lastsMs'];

const short: Duration = [300, 2_000];
const long: Duration = [1_000, 5_000];

interface NamedFault {
  readonly name: string;
  readonly fault: LinkFault;
  readonly lastsMs: Duration;
}

const common: readonly NamedFault[] = [
  { name: 'cut before apply', fault: { kind: 'cut', at: 'request', oneOf: 3 }, lastsMs: short },
  { name: 'cut between apply and reply', fault: { kind: 'cut', at: 'reply', oneOf: 3 }, lastsMs: short },
  { name: 'slow', fault: { kind: 'slow', delayMs: 120, bytesPerS: 200_000 }, lastsMs: long },
  { name: 'requests lost, half-open', fault: { kind: 'silent', direction: 'request', ends: 'reset' }, lastsMs: long },
  { name: 'replies lost, half-open', fault: { kind: 'silent', direction: 'reply', ends: 'reset' }, lastsMs: long },
  { name: 'black hole', fault: { kind: 'silent', direction: 'both', ends: 'reset' }, lastsMs: long },
  { name: 'black hole that delivers late', fault: { kind: 'silent', direction: 'both', ends: 'delivered' }, lastsMs: long },
  { name: 'closed', fault: { kind: 'closed' }, lastsMs: short },
];

const commits: readonly NamedFault[] = [
  { name: 'COMMIT cut before apply', fault: { kind: 'cut', at: 'request', oneOf: 2, only: 'COMMIT' }, lastsMs: short },
  { name: 'COMMIT cut before its answer', fault: { kind: 'cut', at: 'reply', oneOf: 2, only: 'COMMIT' }, lastsMs: short },
];

export const linkFaults: readonly FaultKind[] = [
  ...commits
    .concat(common)
    .map((named) =>
      onLinks('postgres link', named, ({ workers }) => workers.map(({ name, postgres }) => ({ name, link: postgres }))),
    ),
  ...common.map((named) => onLinks('http link', named, ({ workers }) => workers.map(({ name, http }) => ({ name, link: http })))),
  ...common.map((named) => onLinks('redis link', named, ({ redis }) => redis.nodes, { user: 'client' })),
  onLinks(
    'redis link',
    { name: 'replication cut', fault: { kind: 'silent', direction: 'reply', ends: 'reset' }, lastsMs: long },
    ({ redis }) => redis.nodes,
    { user: 'replica' },
  ),
];

interface Way {
  readonly name: string;
  readonly link: FaultyLink;
}

/** On one of the links, on all of them, or on every second connection of all of them. */
function onLinks(
  place: FaultPlace,
  named: NamedFault,
  waysOf: (ground: Ground) => readonly Way[],
  scope: LinkFaultScope = {},
): FaultKind {
  return {
    name: `${place}: ${named.name}`,
    place,
    lastsMs: named.lastsMs,
    async inject(ground, random) {
      const ways = waysOf(ground);
      // Who talks to Redis talks to the primary, whichever it is.
      const spread = random.pick(place === 'redis link' ? (['all', 'half'] as const) : (['one', 'one', 'all', 'half'] as const));
      const one = ways[random.below(ways.length)];
      const hit = spread === 'one' && one !== undefined ? [one] : ways;
      const ends = hit.map(({ link }) => link.begin(named.fault, { ...scope, isHalf: spread === 'half' }));
      return {
        target: spread === 'one' && one !== undefined ? one.name : `${spread} of them`,
        heal: () => {
          for (const end of ends) end();
        },
      };
    },
  };
}
