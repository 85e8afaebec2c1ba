import { NOUNS, type Noun, RESOURCES } from '../../../../src/contract/resources.js';
import { quote } from '../format.js';
import type { Route } from '../route.js';
import { capitalize } from './field-values.js';

/** A link to views: a section is the first segment of their routes. A noun as command has the verbs of its views. */
type NavigationLink = readonly [section: string, name: string, command: string, docs: string];

export type NavigationGroup = readonly [name: string, ...NavigationLink[]];

const DOCS: Readonly<Record<Noun, string>> = {
  reactor: 'reactors',
  proxy: 'emulator?at=proxies',
  webhook: 'emulator?at=webhooks',
  application: 'access',
};

const linkTo = (noun: Noun): NavigationLink => {
  const { collection } = RESOURCES[noun];
  return [collection, capitalize(collection), noun, DOCS[noun]];
};

export const NAVIGATION: readonly NavigationGroup[] = [
  [
    'Activity',
    ['', 'Overview', 'emulator top', 'emulator?at=the-dashboard'],
    ['requests', 'Requests', 'emulator requests', 'emulator?at=watching'],
    ['log', 'Audit log', 'log list', 'access'],
  ],
  [
    'Data',
    ['tokens', 'Tokens', 'token', 'fidelity?at=tokens'],
    ['expressions', 'Expressions', 'docs expressions', 'expressions'],
  ],
  ['Code', ...NOUNS.filter((noun) => noun !== 'application').map(linkTo)],
  ['Access', linkTo('application'), ['tenant', 'Tenant', 'usage', 'emulator?at=tenants-side-by-side']],
  [
    'Environment',
    ['clock', 'Clock', 'emulator clock show', 'emulator?at=the-clock'],
    ['faults', 'Faults', 'emulator fault list', 'emulator?at=faults'],
    ['snapshots', 'Snapshots', 'emulator snapshot list', 'emulator-api'],
  ],
  ['Help', ['docs', 'Documentation', 'docs', 'cli']],
];

/** Returns the command that shows the same as a view, and the address of what the documentation says about it. */
export function helpOf({ path: [section = '', id, verb = 'get'], query }: Route) {
  const links = NAVIGATION.flatMap(([, ...group]) => group);
  const [, , command = 'help', docs = 'cli'] = links.find(([one]) => one === section) ?? [];
  const href = `#/docs/${docs}`;
  if (!NOUN_COMMANDS.includes(command)) return { command: `tokenctl ${command}`, href };
  const list = query.query ? `search ${quote(query.query)}` : 'list';
  const object = id === 'new' ? 'create' : `${verb.replace('edit', 'update')} ${quote(id ?? '')}`;
  return { command: `tokenctl ${command} ${id === undefined ? list : object}`, href };
}

const NOUN_COMMANDS: readonly string[] = ['token', ...NOUNS];
