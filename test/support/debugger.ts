import { SourceMap } from 'node:module';
import { WebSocket } from 'undici';

/** A script that a debugger was told of, with its source map if it has one. */
interface Script {
  scriptId: string;
  url: string;
  sourceMapURL: string;
}

interface CallFrame {
  callFrameId: string;
  functionName: string;
  location: { scriptId: string; lineNumber: number; columnNumber: number };
}

type Handler = (params: never) => void;

/** A debugger that speaks the DevTools protocol, as VS Code and Chrome do, and knows lines of sources by source maps. */
export class Debugger {
  readonly #socket: WebSocket;
  readonly #scripts: Script[] = [];
  readonly #answers = new Map<number, (result: never) => void>();
  readonly #handlers = new Map<string, Handler[]>();
  #pauses: CallFrame[][] = [];
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))));
    this.#on('Debugger.scriptParsed', (script: Script) => this.#scripts.push(script));
    this.#on('Debugger.paused', ({ callFrames }: { callFrames: CallFrame[] }) =>
      this.#pauses.push(callFrames),
    );
    // As debuggers do, whose threads wait for that.
    this.#on('Runtime.executionContextDestroyed', () => this.close());
  }

  /** Attaches to the address that Node.js has printed: `Debugger listening on ws://…`. */
  static async attach(printed: string): Promise<Debugger> {
    const socket = new WebSocket(/Debugger listening on (\S+)/.exec(printed)?.[1] ?? '');
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    const attached = new Debugger(socket);
    for (const method of ['Runtime.enable', 'Debugger.enable', 'Runtime.runIfWaitingForDebugger'])
      await attached.send(method);
    return attached;
  }

  send<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#calls;
    const answer = new Promise<Result>((resolve) => this.#answers.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answer;
  }

  /** Lets new code stop before it runs, so that breakpoints can be set in it. */
  async stopInNewCode(): Promise<void> {
    await this.send('Debugger.setInstrumentationBreakpoint', {
      instrumentation: 'beforeScriptWithSourceMapExecution',
    });
  }

  /** Sets a breakpoint at a line of a source, from 1, as a person does. */
  async setBreakpoint(source: string, line: number): Promise<void> {
    for (const script of this.#scripts.filter(({ sourceMapURL }) => sourceMapURL)) {
      const map = mapOf(script);
      const index = map.payload.sources.findIndex((url) => url.endsWith(source));
      if (index < 0) continue;
      const generated = findLine(map, map.payload.sources[index] ?? '', line);
      await this.send('Debugger.setBreakpoint', { location: { scriptId: script.scriptId, ...generated } });
    }
  }

  /** Waits until code stops, and returns where: `charge.ts:4`, by the source map, and the frame. */
  async paused(): Promise<{ at: string; frame: CallFrame }> {
    while (this.#pauses.length === 0) await this.#next('Debugger.paused');
    const [frame] = this.#pauses.shift() ?? [];
    if (!frame) throw new Error('The code stopped nowhere.');
    return { at: this.#locate(frame.location), frame };
  }

  async evaluate({ callFrameId }: CallFrame, expression: string): Promise<unknown> {
    const params = { callFrameId, expression, returnByValue: true };
    const { result } = await this.send<{ result: { value: unknown } }>(
      'Debugger.evaluateOnCallFrame',
      params,
    );
    return result.value;
  }

  resume(): Promise<unknown> {
    return this.send('Debugger.resume');
  }

  close(): void {
    this.#socket.close();
  }

  #locate({ scriptId, lineNumber, columnNumber }: CallFrame['location']): string {
    const script = this.#scripts.find((one) => one.scriptId === scriptId);
    if (!script?.sourceMapURL) return `${script?.url}:${lineNumber + 1}`;
    const entry = mapOf(script).findEntry(lineNumber, columnNumber);
    if (!('originalSource' in entry)) return script.url;
    return `${entry.originalSource.replace(/^.*\//, '')}:${entry.originalLine + 1}`;
  }

  #on<Params>(method: string, handler: (params: Params) => void): void {
    this.#handlers.set(method, [...(this.#handlers.get(method) ?? []), handler as Handler]);
  }

  #next(method: string): Promise<void> {
    return new Promise((resolve) => this.#on(method, () => resolve()));
  }

  #receive({
    id,
    result,
    method,
    params,
  }: {
    id: number;
    result: never;
    method: string;
    params: never;
  }): void {
    if (id !== undefined) this.#answers.get(id)?.(result);
    else for (const handler of this.#handlers.get(method) ?? []) handler(params);
  }
}

function mapOf({ sourceMapURL }: Script): SourceMap {
  const [, base64 = ''] = sourceMapURL.split(',');
  return new SourceMap(JSON.parse(Buffer.from(base64, 'base64').toString()));
}

/** Returns where the code of a line of a source, from 1, begins in the built code, from 0. */
function findLine(map: SourceMap, source: string, line: number) {
  for (let generated = 0; generated < 10_000; generated++) {
    for (let column = 0; column < 80; column++) {
      const entry = map.findEntry(generated, column);
      const isThere = 'originalSource' in entry && entry.generatedLine === generated;
      if (isThere && entry.originalSource === source && entry.originalLine === line - 1)
        return { lineNumber: generated, columnNumber: column };
    }
  }
  throw new Error(`${source} has no code in line ${line}.`);
}
