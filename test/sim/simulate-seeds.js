// Runs seeds of the simulators that it is sent, one after the other, until one is not sound. Answers each message with that seed and the
// kinds of what was found, or with `{}` when all were sound. Ends when nobody is left to send.
process.on('message', async ({ simulator, firstSeed, seeds, ...options }) => {
  try {
    const { simulate } = await import(simulator);
    process.send(await firstUnsound(simulate, firstSeed, seeds, options));
  } catch (error) {
    process.send({ error: error.stack });
  }
});

async function firstUnsound(simulate, firstSeed, seeds, options) {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const { isSound, kinds } = await simulate({ ...options, seed });
    if (!isSound) return { seed, kinds };
  }
  return {};
}
