/** What kept an emulator from starting, or a data directory from being opened or moved. */
export type StartErrorCode =
  | 'invalid_option'
  | 'invalid_api_key'
  | 'invalid_certificate'
  | 'port_in_use'
  | 'cannot_listen'
  | 'data_dir_locked'
  | 'data_dir_damaged'
  | 'unsupported_format'
  | 'symbolic_link'
  /** The key is missing, or is not the one that the data was encrypted with. */
  | 'wrong_data_key'
  /** The key has the wrong length or encoding, or its file cannot be used. */
  | 'invalid_data_key'
  | 'invalid_store_url'
  | 'password_in_store_url'
  | 'store_unreachable'
  /** The database has no certificate that is accepted. */
  | 'store_tls'
  /** The database does not accept TLS, which its URL asks for. */
  | 'store_without_tls'
  | 'store_read_only'
  | 'store_access_denied'
  /** The user of the database may not create or use what the store needs. */
  | 'store_permission_missing'
  | 'store_missing'
  /** A pooler before the database does not keep sessions apart. */
  | 'store_pooler'
  | 'store_in_use'
  | 'target_not_empty'
  | 'nothing_to_move'
  /** The store holds a part of the data only, because a move to it was interrupted. */
  | 'move_unfinished'
  /** The data of the directory is in a database, where `emulator move` has put it. */
  | 'data_moved'
  /** A copy differs from what was copied. */
  | 'move_failed';

/** Why an emulator could not start, in a sentence without keys or token data for the person who can remove the reason. */
export class StartError extends Error {
  override name = 'StartError';

  constructor(
    readonly code: StartErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
