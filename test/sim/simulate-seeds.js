// Runs seeds of the simulators that it is sent, one after the other, until one is not sound. Answers each message with that seed and the
// kinds of what was found, or with `{}` when all were sound. Ends when nobody is left to send.
process.on('message', (asked) => void answer(asked));

async function answer(asked) {
  process.send(await found(asked).catch((error) => ({ error: error.stack })));
}

async function found({ simulator, firstSeed, seeds, ...options }) {
  const { simulate } = await import(simulator);
  return firstUnsound(simulate, firstSeed, seeds, options);
}

async function firstUnsound(simulate, firstSeed, seeds, options) {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const { isSound, kinds } = await simulate({ ...options, seed });
    if (!isSound) return { seed, kinds };
  }
  return {};
}
