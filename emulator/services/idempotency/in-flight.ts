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

/** Marks requests as discarded: those of a tenant, of an application of it, or those that used one of its tokens. */
export function discardInFlight(
  requests: Iterable<InFlightRequest>,
  tenantId: string,
  { applicationId, tokenIds }: { applicationId?: string; tokenIds?: readonly string[] } = {},
): void {
  for (const request of requests) {
    if (request.tenantId !== tenantId) continue;
    if (applicationId !== undefined && request.applicationId !== applicationId) continue;
    if (tokenIds === undefined || tokenIds.some((id) => request.tokenIds.has(id))) request.discarded = true;
  }
}
