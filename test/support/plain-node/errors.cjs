// Stands in for `svc-reactor-errors` outside the service: error classes with the statuses of decisions.md, "Reactors".
const withStatus = (status, fallback) =>
  class extends Error {
    constructor(reason = fallback) {
      super(typeof reason === 'string' ? reason : fallback);
      this.status = status;
      if (typeof reason !== 'string') this.errors = Array.isArray(reason) ? { error: reason } : reason;
    }
  };

class CustomHttpResponseError extends Error {
  constructor({ status, headers, body }) {
    super('custom response');
    Object.assign(this, { status, headers, body, name: 'CustomHttpResponseError' });
  }
}

module.exports = {
  BadRequestError: withStatus(400, 'Bad Request'),
  AuthenticationError: withStatus(401, 'Unauthorized'),
  InvalidPaymentMethodError: withStatus(402, 'Payment Required'),
  AuthorizationError: withStatus(403, 'Forbidden'),
  RateLimitError: withStatus(429, 'Too Many Requests'),
  ReactorRuntimeError: withStatus(500, 'Internal Server Error'),
  ServiceUnavailableError: withStatus(503, 'Service Unavailable'),
  CustomHttpResponseError,
};
