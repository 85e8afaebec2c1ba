import type { FastifyInstance, InjectOptions } from 'fastify';

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

export async function injectInto(app: FastifyInstance, request: InjectRequest): Promise<InjectResponse> {
  const { method, url, headers = {}, body } = request;
  const response = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  return {
    status: response.statusCode,
    headers: response.headers as InjectResponse['headers'],
    body: response.body,
  };
}
