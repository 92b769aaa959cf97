import { SingleBar } from 'cli-progress';

export interface ProgressBar {
  show(bytes: number, bytesTotal: number, items: number): void;
  end(): void;
}

/** On stderr, and only where a person looks at it. */
export function progressBar(itemsName: string): ProgressBar {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  const format = `[{bar}] {percentage}% | {items} ${itemsName} | {eta_formatted} left`;
  const bar = new SingleBar({ stream: process.stderr, format });
  let isShown = false;
  return {
    show: (bytes, bytesTotal, items) => {
      if (!isShown) bar.start(bytesTotal, 0, { items: 0 });
      isShown = true;
      bar.update(bytes, { items });
    },
    end: () => {
      if (isShown) bar.stop();
    },
  };
}
