import { describeThrown, describeValue } from '../runtime/describe-thrown.js';
import {
  clientProperties,
  createSvcClient,
  findReactorFunction,
  inputOf,
  type ReactorFunction,
  type SvcCallResult,
} from '../runtime/reactor-api.js';
import { handlers, host, names, startCall } from './bridge/host.js';
import { requireModule } from './node-modules/require.js';

/** Captured before reactor code runs, which may replace them. */
const { parse, stringify } = JSON;
const functionSource = Function.prototype.call.bind(Function.prototype.toString) as (
  value: unknown,
) => string;

const svc = createSvcClient(
  (method, params) => startCall('svc', { method, params }).response as Promise<SvcCallResult>,
);

// Load a reactor and call it. Every result is reported through `host.settle`.

let reactor: ReactorFunction | undefined;

function setExports(exported: unknown): void {
  reactor = findReactorFunction(exported);
  host.settle(reactor ? 'loaded' : 'no-function');
}

/** Runs the CommonJS wrapper if it has the source: code may have closed it early. */
export function loadCommonJs(wrapper: unknown, source: string, fileName: string): void {
  if (typeof wrapper !== 'function' || functionSource(wrapper) !== parse(source)) {
    host.settle('unbalanced');
    return;
  }
  const exports: unknown = {};
  const module = { exports, id: '.', filename: fileName, loaded: false, children: [], paths: [] };
  try {
    Reflect.apply(wrapper, exports, [exports, requireModule, module, fileName, '/']);
    setExports(module.exports);
  } catch (error) {
    fail(error);
  }
}

/** @param namespace namespace of an evaluated ES module, or a promise of it */
export async function loadModule(namespace: unknown): Promise<void> {
  try {
    setExports(await namespace);
  } catch (error) {
    fail(error);
  }
}

/** @param maxOutputLength longest result, in characters, that is passed to the host */
export async function invoke(
  argsJson: string,
  configurationJson: string,
  hasSvc: boolean,
  takesEvent: boolean,
  maxOutputLength: number,
): Promise<void> {
  handlers.clear();
  const [args, configuration] = [parse(argsJson), parse(configurationJson)] as unknown[];
  const clients = clientProperties(hasSvc ? svc : null, names.client);
  let value: unknown;
  try {
    value = await (reactor as ReactorFunction)(inputOf(takesEvent, args, configuration, clients), clients);
  } catch (error) {
    fail(error);
    return;
  }
  const [kind, json = ''] = describeValue(value);
  if (json.length > maxOutputLength) host.settle('too-large');
  else host.settle(kind, json);
}

/** Reports an error thrown by reactor code. */
export const fail = (error: unknown): void => host.settle('error', stringify(describeThrown(error)));
