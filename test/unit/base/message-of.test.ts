import { expect, test } from 'vitest';
import { messageOf } from '../../../src/base/message-of.ts';

test.each([
  [new Error('the disk is full'), 'the disk is full'],
  [new TypeError('no slot'), 'no slot'],
  ['a text', 'a text'],
  [404, '404'],
  [undefined, 'undefined'],
  [null, 'null'],
])('what was thrown says what it says: %o', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});

test('several errors in one that says nothing itself are each told', () => {
  const refused = [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')];
  expect(messageOf(new AggregateError(refused))).toBe('connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432');
  expect(messageOf(new AggregateError(refused, 'Nobody answers'))).toBe('Nobody answers');
});
