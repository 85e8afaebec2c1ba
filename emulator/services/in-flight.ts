/** An in-flight request whose response will be stored. */
export interface InFlightRequest {
  tenantId: string;
  /** Ids of the tokens that the request has used so far. The set grows while the request runs. */
  tokenIds: ReadonlySet<string>;
  /** One of the tokens was deleted or changed: the response must not be stored. */
  discarded: boolean;
}

/**
 * Marks the in-flight requests of a tenant that used one of the tokens as discarded.
 * @param tokenIds undefined for all requests of the tenant
 */
export function discardInFlight(
  requests: Iterable<InFlightRequest>,
  tenantId: string,
  tokenIds?: readonly string[],
): void {
  for (const request of requests) {
    if (request.tenantId !== tenantId) continue;
    if (tokenIds === undefined || tokenIds.some((id) => request.tokenIds.has(id))) request.discarded = true;
  }
}
