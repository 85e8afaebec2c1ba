import { usageError } from '../../lib/errors.js';
import type { BuiltProxy, ProxyBuild } from '../../reactors/build/build-proxies.js';
import type { ProxyContent } from '../resources/content.js';
import type { Declared, Draft } from './declared.js';

type ProxyValues = Pick<ProxyContent, 'name'> & {
  [Property in Exclude<keyof ProxyContent, 'name'>]: ProxyContent[Property] | undefined;
};

/** The service requires a key unless a proxy says otherwise. */
const REQUIRE_AUTH = true;

/** Drafts a proxy. What is undefined is left to the service. */
export function draftProxy({ name, application, configuration, ...values }: ProxyValues): Draft<'proxy'> {
  return {
    application: application ?? undefined,
    complete(before, ids) {
      const { destination_url = before?.destination_url } = values;
      if (destination_url === undefined)
        throw usageError(`The proxy ${JSON.stringify(name)} needs a \`destination_url\` to be created.`);
      const { request_transform: request, response_transform: response } = values;
      const reference = typeof application === 'string' ? ids.toReference(application) : application;
      if (typeof reference === 'string') ids.assertKnown(reference);
      return {
        name,
        destination_url,
        request_transform: request === undefined ? (before?.request_transform ?? null) : request,
        response_transform: response === undefined ? (before?.response_transform ?? null) : response,
        configuration: configuration ?? before?.configuration ?? {},
        application: reference === undefined ? (before?.application ?? null) : reference,
        require_auth: values.require_auth ?? before?.require_auth ?? REQUIRE_AUTH,
      };
    },
  };
}

function toDraft({ entry }: ProxyBuild, { request, response, configuration }: BuiltProxy): Draft<'proxy'> {
  const { name, destinationUrl, application, requireAuth } = entry;
  return draftProxy({
    name,
    destination_url: destinationUrl,
    request_transform: request,
    response_transform: response,
    configuration,
    application,
    require_auth: requireAuth,
  });
}

/** Declares proxies from their builds. */
export function declareProxies(builds: readonly ProxyBuild[]): Declared<'proxy'>[] {
  return builds.map((build) => {
    const { entry, file, outcome } = build;
    return {
      kind: 'proxy',
      name: entry.name,
      previousName: entry.previousName,
      file,
      inManifest: true,
      outcome: outcome.ok ? { ...outcome, value: toDraft(build, outcome.value) } : outcome,
    };
  });
}
