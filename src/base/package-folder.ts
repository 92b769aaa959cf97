import { fileURLToPath } from 'node:url';

/** Where the package is: sources, what is compiled of them, and the bundle of the command line are each two folders below it. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
