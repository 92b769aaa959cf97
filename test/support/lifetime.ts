/** What a test file starts lives as long as the file runs. */
import { afterAll } from 'vitest';
import { Lifetime } from '../../src/testing/servers/lifetime.ts';

export const lifetime = new Lifetime();

afterAll(() => lifetime.end());
