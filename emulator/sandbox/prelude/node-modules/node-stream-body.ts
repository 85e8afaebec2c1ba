interface NodeStream {
  pipe: unknown;
  on(event: string, listener: (value: never) => void): unknown;
  resume?(): unknown;
}

const isNodeStream = (body: unknown): body is NodeStream =>
  typeof (body as Partial<NodeStream> | null | undefined)?.pipe === 'function';

/**
 * Reads the body of a request to its end if it is a stream of Node.js. Listens to events, because streams of packages, such as
 * `form-data`, have no iterator.
 */
export async function readNodeStream<Body>(body: Body): Promise<Body | Buffer> {
  if (!isNodeStream(body)) return body;
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk as string)));
    body.on('end', () => resolve(Buffer.concat(chunks)));
    body.on('error', reject);
    body.resume?.();
  });
}
