import { SingleBar } from 'cli-progress';

export interface ProgressBar {
  /** @param done of `total`, in whatever it is measured. @param items how many have come of it. */
  show(done: number, total: number, items: number): void;
  end(): void;
}

/** On stderr, and only where a person looks at it. */
export function progressBar(itemsName: string): ProgressBar {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  const format = `[{bar}] {percentage}% | {items} ${itemsName} | {eta_formatted} left`;
  const bar = new SingleBar({ stream: process.stderr, format });
  let isShown = false;
  return {
    show: (done, total, items) => {
      if (!isShown) bar.start(total, 0, { items: 0 });
      isShown = true;
      bar.update(done, { items });
    },
    end: () => {
      if (isShown) bar.stop();
    },
  };
}
