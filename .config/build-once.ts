import { build } from './build.js';

/** Tests run the built executable and the built sandbox worker, so both are made once before the first test. */
export async function setup(): Promise<void> {
  await build();
}
