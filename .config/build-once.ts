import { buildIfStale } from './build.js';

/** Tests run the built executable and the built sandbox worker: dist/ has to match the sources before the first test. */
export async function setup(): Promise<void> {
  await buildIfStale();
}
