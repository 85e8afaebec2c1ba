import { CONTROL_PREFIX } from '../../contract/control/endpoint.js';
import { openRunEmulator } from '../index.js';

/** Pages under test call the service from this machine, on any port. */
const PAGE_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Prepares the emulator of the run: `globalSetup: 'tokenctl/playwright/setup'`. Workers find it in the environment, as the command of
 * `emulator exec` does.
 * @returns the teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { address, close } = await openRunEmulator(PAGE_ORIGINS);
  process.env.TOKENCTL_CONTROL_URL = `${address.url}${CONTROL_PREFIX}`;
  process.env.TOKENCTL_CONTROL_TOKEN = address.controlToken;
  return close;
}
