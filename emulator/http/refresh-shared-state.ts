import { CONTROL_PREFIX } from '../../src/contract/control/endpoint.js';
import { CONTROL_IDS, controlEndpoint } from '../../src/contract/control/endpoints.js';
import { pathOf } from '../lib/request-path.js';
import type { SharedState } from '../services/shared-store/shared-state.js';
import type { Step } from './step.js';

/** Paths that must answer while the database is away. */
const PROBES = CONTROL_IDS.map(controlEndpoint)
  .filter(({ probe }) => probe)
  .map(({ path }) => CONTROL_PREFIX + path);

/** Takes over what other processes have changed before the request. */
export function refreshSharedState(shared: Pick<SharedState, 'refresh'> | undefined): Step {
  if (!shared) return () => {};
  return ({ url }) => (PROBES.includes(pathOf(url)) ? undefined : shared.refresh());
}
