import { NOUNS, type Noun, RESOURCES } from '../../../../src/contract/resources.js';
import { quote } from '../format.js';
import type { Route } from '../route.js';
import { capitalize } from './field-values.js';

/** A link to views: a section is the first segment of their routes. A noun as command has the verbs of its views. */
type NavigationLink = readonly [section: string, name: string, command: string, docs: string, icon: string];

export type NavigationGroup = readonly [name: string, ...NavigationLink[]];

/** The page of the documentation, and the lines of the icon on a ground of 16 by 16. */
const ABOUT: Readonly<Record<Noun, readonly [docs: string, icon: string]>> = {
  reactor: ['reactors', 'M9 1 3 9h4l-1 6 6-8H8z'],
  proxy: ['emulator?at=proxies', 'M1 8h9M7 5l3 3-3 3M14 2v12'],
  webhook: ['emulator?at=webhooks', 'M8 2a4 4 0 0 0-4 4v4l-2 2h12l-2-2V6a4 4 0 0 0-4-4M6 14h4'],
  application: ['access', 'M11 2a3 3 0 1 1-2 5l-7 7M4 12l2 2'],
};

const linkTo = (noun: Noun): NavigationLink => {
  const { collection } = RESOURCES[noun];
  return [collection, capitalize(collection), noun, ...ABOUT[noun]];
};

const BUILDING = 'M3 14V2h7v12M10 6h3v8M1 14h14M6 5h1M6 8h1M6 11h1';
const BOOK = 'M8 4C6 2 3 2 2 3v10c1-1 4-1 6 1 2-2 5-2 6-1V3c-1-1-4-1-6 1v10';

export const NAVIGATION: readonly NavigationGroup[] = [
  [
    'Activity',
    ['', 'Overview', 'emulator top', 'emulator?at=the-dashboard', 'M1 8l7-6 7 6M3 7v7h10V7'],
    ['requests', 'Requests', 'emulator requests', 'emulator?at=watching', 'M2 5h11l-3-3M14 11H3l3 3'],
    ['log', 'Audit log', 'log list', 'access', 'M3 3h10M3 8h10M3 13h6'],
  ],
  ['Data', ['tokens', 'Tokens', 'token', 'fidelity?at=tokens', 'M8 1l6 3.5v7L8 15l-6-3.5v-7z']],
  ['Code', ...NOUNS.filter((noun) => noun !== 'application').map(linkTo)],
  ['Access', linkTo('application')],
  [
    'Environment',
    ['tenant', 'Tenant', 'usage', 'emulator?at=tenants-side-by-side', BUILDING],
    ['clock', 'Clock', 'emulator clock show', 'emulator?at=the-clock', 'M8 2a6 6 0 1 0 .1 0M8 5v3l2 2'],
    ['faults', 'Faults', 'emulator fault list', 'emulator?at=faults', 'M8 2l6.5 12h-13zM8 6v4M8 12v.5'],
  ],
  ['Help', ['docs', 'Documentation', 'docs', 'cli', BOOK]],
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
