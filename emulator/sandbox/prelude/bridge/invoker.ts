import { describeThrown } from '../../runtime/describe-thrown.js';
import { findReactorFunction, type ReactorFunction } from '../../runtime/reactor-errors.js';
import { clientProperties, createSvcClient, type SvcCallResult } from '../../runtime/svc-client.js';
import { host, names, removeAllHandlers, startCall } from './host.js';

/** Captured before reactor code runs, which may replace them. */
const { parse, stringify } = JSON;
const functionSource = Function.prototype.call.bind(Function.prototype.toString) as (
  value: unknown,
) => string;

/** Loads a reactor and calls it. Every result is reported through `host.settle`. */
export class Invoker {
  readonly #require: (name: string) => unknown;
  readonly #svc: object;
  #reactor: ReactorFunction | undefined;
  #maxOutputLength = 0;

  constructor(require: (name: string) => unknown) {
    this.#require = require;
    this.#svc = createSvcClient(
      (method, params) => startCall('svc', { method, params }).response as Promise<SvcCallResult>,
    );
  }

  /**
   * Calls the CommonJS wrapper of a reactor.
   * @param source expected source of `wrapper`, as JSON. It differs if the code closed the wrapper early.
   */
  loadCommonJs(wrapper: (...args: unknown[]) => void, source: string, fileName: string): void {
    if (typeof wrapper !== 'function' || functionSource(wrapper) !== parse(source)) {
      host.settle('unbalanced');
      return;
    }
    const module = {
      exports: {} as unknown,
      id: '.',
      filename: fileName,
      loaded: false,
      children: [],
      paths: [],
    };
    try {
      wrapper.call(module.exports, module.exports, this.#require, module, fileName, '/');
      this.#setExports(module.exports);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param namespace namespace of an evaluated ES module, or a promise of it */
  async loadModule(namespace: unknown): Promise<void> {
    try {
      this.#setExports(await namespace);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param maxOutputLength longest result, in characters, that is passed to the host */
  invoke(args: string, configuration: string, hasSvc: boolean, maxOutputLength: number): void {
    this.#maxOutputLength = maxOutputLength;
    removeAllHandlers();
    void this.#call({
      args: parse(args),
      configuration: parse(configuration),
      ...clientProperties(hasSvc ? this.#svc : null, names.client),
    });
  }

  /** Reports an error thrown by reactor code. */
  fail(error: unknown): void {
    host.settle('error', stringify(describeThrown(error)));
  }

  #setExports(exported: unknown): void {
    this.#reactor = findReactorFunction(exported);
    host.settle(this.#reactor ? 'loaded' : 'no-function');
  }

  async #call({ args, configuration, ...clients }: Record<string, unknown>): Promise<void> {
    let value: unknown;
    try {
      value = await (this.#reactor as ReactorFunction)({ args, configuration, ...clients }, clients);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#settleValue(value);
  }

  #settleValue(value: unknown): void {
    if (value === undefined) {
      host.settle('nothing');
      return;
    }
    try {
      const json = stringify(value) as string | undefined;
      if (json === undefined) host.settle('not-json', stringify({ message: `a ${typeof value}` }));
      else if (json.length > this.#maxOutputLength) host.settle('too-large');
      else host.settle('value', json);
    } catch (error) {
      host.settle('not-json', stringify(describeThrown(error)));
    }
  }
}
