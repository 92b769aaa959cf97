/** Read anew for each test file that shares its process with others. */
import { afterAll, afterEach } from 'vitest';
import { ended } from './ends.ts';

afterEach(() => ended('test'));
afterAll(() => ended('file'));
