/** An in-flight request whose response will be stored. */
export interface InFlightRequest {
  tenantId: string;
  /** Absent for requests that do not end with the access of an application. */
  applicationId?: string;
  /** Ids of the tokens that the request has used so far. The set grows while the request runs. */
  tokenIds: ReadonlySet<string>;
  /** One of the tokens, or the access of the application, was changed: the response must not be stored. */
  discarded: boolean;
}

/** Marks the in-flight requests of an application as discarded. */
export function discardInFlightOf(
  requests: Iterable<InFlightRequest>,
  tenantId: string,
  applicationId: string,
): void {
  for (const request of requests) {
    if (request.tenantId === tenantId && request.applicationId === applicationId) request.discarded = true;
  }
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
