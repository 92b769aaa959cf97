import { expect, it } from 'vitest';
import { loadConfig, scannerClassesOf } from '../../../../src/service/config.ts';
import { windowFindings } from '../../../../src/service/doctor/window-and-retries.ts';

const classes = scannerClassesOf(
  loadConfig({
    flags: { window_ms: '3000', scanner_classes: '{"bluetooth":{"scanners":["BT-*"],"window_ms":5000}}' },
    environment: {},
  }),
);

it('a retry at the very end of the window is a new scan, in each class by its own window', () => {
  const said = (horizonMs: number) =>
    windowFindings(classes, horizonMs).map(({ target, level, found }) => [target, level, found]);
  expect(said(2_999)).toEqual([
    ['class default', 'ok', 'All retries fall into it: clients retry for 2999 ms, the window is 3000 ms.'],
    ['class bluetooth', 'ok', 'All retries fall into it: clients retry for 2999 ms, the window is 5000 ms.'],
  ]);
  expect(said(4_000)).toEqual([
    [
      'class default',
      'warning',
      'Too short: clients retry for 4000 ms, the window is 3000 ms; retries are outside of it from 3000 ms on, for up to 1000 ms.',
    ],
    ['class bluetooth', 'ok', 'All retries fall into it: clients retry for 4000 ms, the window is 5000 ms.'],
  ]);
  expect(windowFindings(classes, 3_000)[0]?.level).toBe('warning');
});
