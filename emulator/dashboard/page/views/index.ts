import type { ComponentType } from 'preact';
import { NOUNS, type Noun, RESOURCES } from '../../../../src/contract/resources.js';
import type { Route, ViewProps } from '../route.js';
import { AuditLog } from './audit-log.js';
import { Clock } from './clock.js';
import { Docs } from './docs.js';
import { Faults } from './faults.js';
import { Overview } from './overview.js';
import { RequestComposer, RequestView } from './request.js';
import { Requests } from './requests.js';
import { applicationPage } from './resources/application.js';
import { proxyPage } from './resources/proxy.js';
import { reactorPage } from './resources/reactor.js';
import type { ResourcePage } from './resources/resource-page.js';
import { viewsOf } from './resources/resource-views.js';
import { tokenPage } from './resources/token.js';
import { webhookPage } from './resources/webhook.js';
import { NotFound } from './sign-in.js';
import { TenantView } from './tenant.js';
import { Tokens } from './tokens.js';

/** The resources about which something is special. */
const SPECIAL: readonly ResourcePage[] = [reactorPage, proxyPage, applicationPage, webhookPage];

const pageOf = (noun: Noun) => SPECIAL.find(({ row }) => row.noun === noun) ?? { row: RESOURCES[noun] };

/** `withKeys`: it calls the service with the keys of the seeded applications. */
type ViewRow = readonly [pattern: string, component: ComponentType<ViewProps>, needs?: 'withKeys'];

/** Views by route: a segment in braces matches any, and the first match counts. */
const VIEWS: readonly ViewRow[] = [
  ['', Overview],
  ['requests', Requests],
  ['requests/new', RequestComposer, 'withKeys'],
  ['requests/{trace}', RequestView],
  ['log', AuditLog, 'withKeys'],
  ['tokens', Tokens],
  ...[...NOUNS.map(pageOf), tokenPage]
    .flatMap(viewsOf)
    .map(([pattern, view]): ViewRow => [pattern, view, 'withKeys']),
  ['tenant', TenantView],
  ['clock', Clock],
  ['faults', Faults],
  ['docs', Docs],
  ['docs/{page}', Docs],
];

export function findView({ path }: Route) {
  const found = VIEWS.find(([pattern]) => matches(pattern.split('/').filter(Boolean), path));
  const [, component, needs] = found ?? ['', NotFound];
  return { section: found ? (path[0] ?? '') : '?', component, needsKeys: needs !== undefined };
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, index) => segment.startsWith('{') || segment === path[index])
  );
}
