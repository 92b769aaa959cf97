/** What a test file starts lives as long as the file runs. */
import { Lifetime } from '../../src/testing/servers/lifetime.ts';
import { afterEveryFile } from './ends.ts';

export const lifetime = new Lifetime();

afterEveryFile(() => lifetime.end());
