import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import { readCode, readConfiguration } from '../reactor/body.js';
import { assertLoadable } from '../shared/check-code.js';

export interface ProxyOptions {
  name?: string | undefined;
  destinationUrl?: string | undefined;
  requestTransform?: string | false | undefined;
  responseTransform?: string | false | undefined;
  config?: string[] | undefined;
  configuration?: string | undefined;
  application?: string | false | undefined;
  requireAuth?: boolean | undefined;
}

/** Builds a request body of the properties that flags set. */
export async function buildProxyBody(options: ProxyOptions, context: Context) {
  const { name, destinationUrl, application, requireAuth } = options;
  const configuration = await readConfiguration(options, context);
  const request = await readTransform(options.requestTransform, '--request-transform', context);
  const response = await readTransform(options.responseTransform, '--response-transform', context);
  return {
    ...(name !== undefined && { name }),
    ...(destinationUrl !== undefined && { destination_url: destinationUrl }),
    ...(request !== undefined && { request_transform: request }),
    ...(response !== undefined && { response_transform: response }),
    ...(configuration && { configuration }),
    ...(application === false && { application: null }),
    ...(typeof application === 'string' && { application: { id: application } }),
    ...(requireAuth !== undefined && { require_auth: requireAuth }),
  };
}

/** @returns null for a transform to remove, undefined without the flag */
async function readTransform(
  code: string | false | undefined,
  flag: string,
  context: Context,
): Promise<{ code: string } | null | undefined> {
  if (code === undefined) return undefined;
  return code === false ? null : { code: await readCode(code, flag, context) };
}

/** Checks the transforms of a request body, as `assertLoadable` does. @throws {ReactorCodeError} */
export function assertTransformsLoadable(body: {
  request_transform?: unknown;
  response_transform?: unknown;
}): Promise<void> {
  const codeOf = (transform: unknown) =>
    isObject(transform) && typeof transform.code === 'string' ? transform.code : undefined;
  return assertLoadable({
    request_transform: codeOf(body.request_transform),
    response_transform: codeOf(body.response_transform),
  });
}
