/** A request under way, of whose tokens something is to be kept when it is done. */
export interface InFlightRequest {
  tenantId: string;
  /** Ids of the tokens that it has touched so far: more come while it runs. */
  tokenIds: ReadonlySet<string>;
  /** A token went meanwhile: what is still to come must not be kept. */
  discarded: boolean;
}

/** Tells those under way that tokens go, all of the tenant's when none are named. */
export function discardForTokens(
  underWay: Iterable<InFlightRequest>,
  tenantId: string,
  tokenIds?: readonly string[],
): void {
  for (const request of underWay) {
    if (request.tenantId !== tenantId) continue;
    if (tokenIds === undefined || tokenIds.some((id) => request.tokenIds.has(id))) request.discarded = true;
  }
}
