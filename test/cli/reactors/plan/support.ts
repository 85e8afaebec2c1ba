import type { BuiltReactor, ReactorBuild } from '../../../../src/cli/reactors/build/build.js';
import type { Remote } from '../../../../src/cli/reactors/plan/remote.js';
import type { Reactor } from '../../../../src/contract/schemas/index.js';

const ID = '11111111-1111-4111-8111-111111111111';

/** A reactor of the service named `charge`. */
export function reactor(more: Partial<Reactor>): Reactor {
  return { id: ID, tenant_id: ID, name: 'charge', code: '', configuration: {}, ...more };
}

function toBuild(outcome: ReactorBuild['outcome']): ReactorBuild {
  return { name: 'charge', file: 'charge.ts', inManifest: true, inputs: [], outcome };
}

/** A successful build of `charge`, which took 1 ms. */
export function built(more: Partial<BuiltReactor>): ReactorBuild {
  const value = {
    name: 'charge',
    code: '',
    minified: false,
    configuration: undefined,
    application: undefined,
    ...more,
  };
  return toBuild({ ok: true, value, durationMs: 1 });
}

export function failedBuild(error: Error): ReactorBuild {
  return toBuild({ ok: false, error, durationMs: 1 });
}

/** A service with these reactors; each lookup took 2 ms. An error is that of the lookup. */
export function remote(reactors: Record<string, Reactor | Error>): Remote {
  const all: Record<string, Reactor | Error | undefined> = { charge: undefined, ...reactors };
  return {
    target: 'https://api.example.com',
    reactors: new Map(
      Object.entries(all).map(([name, found]) => [
        name,
        found instanceof Error
          ? { ok: false, error: found, durationMs: 2 }
          : { ok: true, value: found, durationMs: 2 },
      ]),
    ),
    applications: new Map(),
    orphans: [],
    gone: [],
  };
}
