import { APPLICATION_TYPES } from '../../contract/application-types.js';
import { RESOURCES } from '../../contract/resources.js';
import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { APPLICATION_ARGUMENT, CONFIRM_FLAG, keyCommands } from './application-key.js';
import { resourceCommand } from './resource-commands.js';

const permissionsModule = () => import('../commands/application/permissions.js');
const writeModule = () => import('../commands/application/write.js');

const APPLICATION = RESOURCES.application;

export const commands: readonly CommandRow[] = [
  resourceCommand(APPLICATION, 'create', {
    summary: 'Create an application; its key is shown only once',
    operations: ['applications.list'],
    flags: {
      allowDuplicateName: { description: 'create it even if an application has this name already' },
    },
    examples: {
      'An application that can read masked tokens.':
        'tokenctl application create --name support --type private --permission token:read,token:search',
      'An application that sees the full data of cards and nothing else.': `tokenctl application create --name payments --type private --rules '[{"priority":1,"container":"/pci/","transform":"reveal","permissions":["token:read","token:use"]}]'`,
    },
    load: from(writeModule, 'createApplication'),
  }),
  resourceCommand(APPLICATION, 'list', {
    examples: { 'Names and types.': 'tokenctl application list --json name,type' },
  }),
  defineCommand('application templates', from(permissionsModule, 'listTemplates'), {
    summary: 'List templates: what applications for a purpose are allowed to do',
    prints: 'applicationTemplates.list',
    operations: ['applicationTemplates.get'],
    arguments: { id: { description: 'only this one', optional: true } },
    examples: { 'For a shop that charges cards.': 'tokenctl application templates --json name,rules' },
  }),
  defineCommand('application who-can', from(permissionsModule, 'whoCan'), {
    summary: 'List the applications that hold a permission, and how they see the data',
    details:
      'Of the access rules of an application, the first one by priority that grants the permission and covers a container of the token decides. `tokenctl application key list` lists the keys of an application.',
    operations: ['applications.list'],
    arguments: { permission: { suggest: 'permission', description: 'a permission, such as token:read' } },
    flags: {
      tokenType: {
        value: 'TYPE',
        suggest: TOKEN_TYPE_NAMES,
        description: 'on tokens of this type, in its default containers',
      },
      container: { value: 'PATH', list: true, description: 'on tokens in these containers' },
    },
    examples: {
      'Which keys can read cards, and how is their data shown?':
        'tokenctl application who-can token:read --token-type card',
    },
  }),
  resourceCommand(APPLICATION, 'get', {
    summary: 'Get applications by id',
    variadic: true,
    examples: {
      'The permissions of an application.':
        'tokenctl application get "$APPLICATION_ID" --json name,permissions,rules',
    },
  }),
  resourceCommand(APPLICATION, 'update', {
    summary: 'Update the name, or the permissions or rules, of an application',
    flags: { name: { value: 'NAME', description: 'new name; unchanged by default' }, ...CONFIRM_FLAG },
    examples: {
      'Replace all permissions.': 'tokenctl application update "$APPLICATION_ID" --permission token:read',
    },
    load: from(writeModule, 'updateApplication'),
  }),
  defineCommand('application regenerate-key', from(writeModule, 'regenerateKey'), {
    summary: 'Generate a new key for an application; all old keys stop working',
    prints: 'applications.regenerate',
    arguments: { application: APPLICATION_ARGUMENT },
    flags: CONFIRM_FLAG,
    examples: {
      'Print only the key.': 'tokenctl application regenerate-key "$APPLICATION_ID" --yes --jq .key',
    },
  }),
  resourceCommand(APPLICATION, 'delete', {
    summary: 'Delete applications; their keys stop working',
    details:
      'To delete the application that the command itself uses, or the last one that may manage applications, its name is required as --confirm.',
    variadic: true,
    flags: CONFIRM_FLAG,
    examples: { 'Delete without confirmation.': 'tokenctl application delete "$APPLICATION_ID" --yes' },
    load: from(writeModule, 'deleteApplications'),
  }),
  ...keyCommands,
  defineCommand('permission list', from(permissionsModule, 'listPermissions'), {
    summary: 'List the permissions and the application types that can have them',
    prints: 'permissions.list',
    flags: {
      type: {
        value: 'TYPE',
        suggest: APPLICATION_TYPES,
        description: 'only permissions that applications of this type can have',
      },
    },
    examples: {
      'What a management application can do, as a table.':
        'tokenctl permission list --type management --output table',
    },
  }),
];
