// Stands in for `svc` outside the service: the same methods over HTTP, with the key of the reactor's application.
const FIXED = new Set(['metadata', 'data', 'mask', 'configuration', 'args']);

const snakeCase = (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toSnakeCase = (object = {}) =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [FIXED.has(key) ? key : snakeCase(key), value]),
  );

const queryOf = ({ metadata = {}, ...rest } = {}) => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(toSnakeCase(rest))) {
    for (const item of [value].flat()) query.append(key, String(item));
  }
  for (const [key, value] of Object.entries(metadata)) query.append(`metadata.${key}`, value);
  return query.size ? `?${query}` : '';
};

/** @param {{ baseUrl: string, key: string }} service */
exports.createService = ({ baseUrl, key }) => {
  const call = async (method, path, body, type = 'application/json') => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'SVC-API-KEY': key, ...(body !== undefined && { 'Content-Type': type }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = response.status === 204 ? null : await response.json();
    if (response.ok) return answer;
    throw Object.assign(new Error(answer.detail), { status: response.status, errors: answer.errors });
  };
  const at = (noun, id) => `/${noun}/${encodeURIComponent(id)}`;
  return {
    tokens: {
      create: (token) => call('POST', '/tokens', toSnakeCase(token)),
      get: (id) => call('GET', at('tokens', id)),
      list: (filter) => call('GET', `/tokens${queryOf(filter)}`),
      update: (id, patch) =>
        call('PATCH', at('tokens', id), toSnakeCase(patch), 'application/merge-patch+json'),
      delete: (id) => call('DELETE', at('tokens', id)),
      search: (query) => call('POST', '/tokens/search', toSnakeCase(query)),
    },
    tokenize: (data) => call('POST', '/tokenize', data),
    detokenize: (data) => call('POST', '/detokenize', data),
    reactors: {
      react: (id, invocation) => call('POST', `${at('reactors', id)}/react`, toSnakeCase(invocation)),
    },
  };
};
