const untrusted = (host: string) => `The certificate of ${host} is from an authority that is not trusted.`;

/** What the codes of Node.js mean for a host. */
export const CONNECTION_WORDS: Readonly<Record<string, (host: string, name: string) => string>> = {
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => `The certificate of ${host} is self-signed, and not trusted.`,
  ECONNREFUSED: (host) => `Nothing listens on ${host} (connection refused).`,
  ECONNRESET: (host) => `${host} closed the connection without an answer.`,
  EAI_AGAIN: (_, name) => `The name ${name} cannot be looked up now (DNS).`,
  EHOSTUNREACH: (host) => `There is no route to ${host}.`,
  ENETUNREACH: (host) => `There is no network to reach ${host} by.`,
  ENOTFOUND: (_, name) => `The name ${name} does not exist (DNS).`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The certificate of ${host} is for another name.`,
  ETIMEDOUT: (host) => `${host} did not accept the connection in time.`,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};
