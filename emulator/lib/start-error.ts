/** What kept an emulator from starting, or a data directory from being opened. */
export type StartErrorCode =
  /** An option has a value that is not accepted. */
  | 'invalid_option'
  /** Another process holds the data directory. */
  | 'data_dir_locked'
  /** A file of the data directory cannot be read. */
  | 'data_dir_damaged'
  /** The data directory has a format that this version does not know. */
  | 'unsupported_format'
  /** A symbolic link where the data directory expects a file or directory. */
  | 'symbolic_link'
  /** The data key is missing, or is not the one the data directory was encrypted with. */
  | 'wrong_data_key'
  /** The data key has the wrong length or encoding, or its file cannot be used. */
  | 'invalid_data_key'
  /** The URL of the database is not one. */
  | 'invalid_store_url'
  /** The URL of the database holds a password. */
  | 'password_in_store_url'
  /** The database cannot be reached. */
  | 'store_unreachable'
  /** The database has no certificate that is accepted. */
  | 'store_tls'
  /** The database does not accept TLS, which its URL asks for. */
  | 'store_without_tls'
  /** The database can only be read. */
  | 'store_read_only'
  /** The database refuses the user or the password. */
  | 'store_access_denied'
  /** The user of the database may not create or use what the store needs. */
  | 'store_permission_missing'
  /** There is no database of this name. */
  | 'store_missing'
  /** A pooler before the database does not keep sessions apart. */
  | 'store_pooler'
  /** An emulator is connected to the database that is to be moved. */
  | 'store_in_use'
  /** What is to be moved to holds data. */
  | 'target_not_empty'
  /** What is to be moved holds no data. */
  | 'nothing_to_move'
  /** The store holds a part of the data only, because a move to it was interrupted. */
  | 'move_unfinished'
  /** The data of the directory is in a database, where `emulator move` has put it. */
  | 'data_moved'
  /** A copy differs from what was copied. */
  | 'move_failed'
  /** A fixed API key cannot be used as one. */
  | 'invalid_api_key'
  /** The certificate or its key cannot be used, or they do not belong together. */
  | 'invalid_certificate'
  /** Another program listens on the port. */
  | 'port_in_use'
  /** The emulator cannot listen on the host for another reason. */
  | 'cannot_listen';

/**
 * An emulator could not start for a reason that the person who starts it can remove. Any other error is a bug.
 * `message` is a sentence for that person, without keys or token data.
 */
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
