export class StripeFailure extends Error {
  override readonly name = 'StripeFailure';
  readonly status: number;
  readonly body: {
    type: string;
    code?: string | undefined;
    decline_code?: string | undefined;
    message: string;
    param?: string | undefined;
  };
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: StripeFailure['body'], headers: Record<string, string> = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function createInvalidRequestError(message: string, param?: string, code?: string): StripeFailure {
  return new StripeFailure(400, { type: 'invalid_request_error', code, message, param });
}

export function createMissingParamError(param: string): StripeFailure {
  return createInvalidRequestError(`Missing required param: ${param}.`, param, 'parameter_missing');
}

/** Status 404 for an object of the path, 400 for one of a parameter. */
export function createNotFoundError(kind: string, id: string, param = 'id'): StripeFailure {
  const status = param === 'id' ? 404 : 400;
  const message = `No such ${kind}: '${id.slice(0, 100)}'`;
  return new StripeFailure(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message,
    param,
  });
}

export function createCardError(message: string, code: string, declineCode?: string): StripeFailure {
  return new StripeFailure(402, { type: 'card_error', code, decline_code: declineCode, message });
}
