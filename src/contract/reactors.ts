import { defineOperation } from './operation-row.js';
import { resourceOperations } from './resource-operations.js';
import { reactor } from './resources.js';

/** Spec, Endpoints, Reactors; react-async and its results are extensions. */
export const reactorOperations = {
  ...resourceOperations(reactor),
  'reactors.react': defineOperation('POST', '/reactors/{id}/react', 'token:use', {
    orPermission: 'reactor:invoke',
    summary: 'Invoke a reactor with detokenized arguments',
    success: [200, 202],
    returns: 'any',
    source: 'specified',
    body: 'json',
    holdsSecrets: true,
    codeErrors: true,
    problems: ['notActive', 'switchedOff', 'reactorUnusable', 'reactorRuntime'],
  }),
  'reactors.reactAsync': defineOperation('POST', '/reactors/{id}/react-async', 'token:use', {
    orPermission: 'reactor:invoke',
    summary: 'Invoke a reactor and keep its result for 24 hours',
    success: [202],
    body: 'json',
    problems: ['notActive', 'reactorUnusable'],
  }),
  'reactors.result': defineOperation('GET', '/reactors/{id}/results/{request_id}', 'token:use', {
    orPermission: 'reactor:invoke',
    summary: 'Get the result of an asynchronous invocation; 404 until there is one',
    returns: 'any',
    codeErrors: true,
    problems: ['reactorRuntime'],
  }),
};
