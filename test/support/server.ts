/**
 * Real processes of the command line: servers on free loopback ports, and commands that run to their end. Whatever a test file
 * starts is stopped by its own pid when the file ends, and every folder that it was given is removed.
 */
import * as servers from '../../src/testing/servers/scangate-server.ts';
import * as processes from '../../src/testing/servers/started-process.ts';
import { lifetime } from './lifetime.ts';

export { listeningUrl, type ServerProcess } from '../../src/testing/servers/scangate-server.ts';
export type { Ended, Started } from '../../src/testing/servers/started-process.ts';
export { until } from '../../src/testing/servers/until.ts';

/** A folder of this test file alone. */
export function temporaryFolder(): string {
  return lifetime.folder();
}

/** {@inheritDoc servers.startServer} */
export function startServer(options?: servers.ServerOptions): Promise<servers.ServerProcess> {
  return servers.startServer(lifetime, options);
}

/** A command of scangate, to its end. */
export function scangate(args: readonly string[], env?: processes.Environment): Promise<processes.Ended> {
  return start(process.execPath, [servers.mainPath, ...args], env).ended;
}

export function start(command: string, args: readonly string[], env?: processes.Environment): processes.Started {
  return processes.start(lifetime, command, args, env);
}
