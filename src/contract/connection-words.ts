/** What the codes of Node.js mean for a host. */
export const CONNECTION_WORDS: Readonly<Record<string, (host: string, name: string) => string>> = {
  ECONNREFUSED: (host) => `Nothing listens on ${host} (connection refused).`,
  ECONNRESET: (host) => `${host} closed the connection without an answer.`,
  EAI_AGAIN: (_, name) => `The name ${name} cannot be looked up now (DNS).`,
  EHOSTUNREACH: (host) => `There is no route to ${host}.`,
  ENETUNREACH: (host) => `There is no network to reach ${host} by.`,
  ENOTFOUND: (_, name) => `The name ${name} does not exist (DNS).`,
  ETIMEDOUT: (host) => `${host} did not accept the connection in time.`,
};
