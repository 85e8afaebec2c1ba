/** An outbound request of reactor code, after the guest's `fetch` has taken its arguments apart. */
export interface OutboundCall {
  url: string;
  method: string;
  headers: [string, string][];
  body: Uint8Array | undefined;
  redirect: 'follow' | 'error' | 'manual';
}

export interface OutboundAnswer {
  /** After redirects. */
  url: string;
  redirected: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
  body: Uint8Array;
}
