/** An in-process request. */
export interface InjectRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface InjectResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}
