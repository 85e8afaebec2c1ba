/** A request under way, of whose tokens something is to be kept when it is done. */
export interface Showing {
  tenantId: string;
  /** Ids of the tokens that it has touched so far: more come while it runs. */
  shown: ReadonlySet<string>;
  /** A token went meanwhile: what is still to come must not be kept. */
  forgotten: boolean;
}

/** Tells those under way that tokens go, all of the tenant's when none are named. */
export function forgetShown(
  underWay: Iterable<Showing>,
  tenantId: string,
  tokenIds?: readonly string[],
): void {
  for (const showing of underWay) {
    if (showing.tenantId !== tenantId) continue;
    if (tokenIds === undefined || tokenIds.some((id) => showing.shown.has(id))) showing.forgotten = true;
  }
}
