import type { Declared } from '../../../../src/cli/tenant-config/declaration/declare.js';
import type { Remote } from '../../../../src/cli/tenant-config/plan/remote.js';
import { type Content, KINDS, type Stored } from '../../../../src/cli/tenant-config/resources/content.js';

const ID = '11111111-1111-4111-8111-111111111111';

/** A reactor of the service named `charge`. */
export function reactor(
  more: Partial<Content>,
  { id = ID, modifiedAt }: { id?: string; modifiedAt?: string } = {},
): Stored {
  const content = { name: 'charge', code: '', configuration: {}, application: null, ...more };
  return { kind: 'reactor', id, content, createdAt: '2026-01-01', modifiedAt };
}

function toDeclared(outcome: Declared['outcome']): Declared {
  return { kind: 'reactor', name: 'charge', file: 'charge.ts', inManifest: true, outcome };
}

/** The declared reactor `charge`, whose build took 1 ms. */
export function declared(more: Partial<Content>): Declared {
  const content = { name: 'charge', code: '', ...more };
  return toDeclared({ ok: true, value: { content }, durationMs: 1 });
}

export function notValid(error: Error): Declared {
  return toDeclared({ ok: false, error, durationMs: 1 });
}

const found = (...value: Stored[]) => ({ ok: true as const, value, durationMs: 2 });

interface Service extends Partial<Pick<Remote, 'orphans' | 'gone'>> {
  applications?: Stored[];
}

/** A service with this reactor `charge`; reading a kind took 2 ms. An error is that of reading the reactors. */
export function remote(charge?: Stored | Error, { applications = [], ...more }: Service = {}): Remote {
  return {
    target: 'https://api.example.com',
    found: {
      ...(Object.fromEntries(KINDS.map((kind) => [kind, found()])) as Remote['found']),
      application: found(...applications),
      reactor:
        charge instanceof Error
          ? { ok: false, error: charge, durationMs: 2 }
          : found(...(charge ? [charge] : [])),
    },
    orphans: [],
    gone: [],
    ...more,
  };
}

/** An application of the service. */
export function application(name: string, id: string): Stored {
  const content = { name, type: 'private' as const, permissions: [] };
  return { kind: 'application', id, content, createdAt: '2026-01-01', modifiedAt: undefined };
}
