/** What a proxy answers for a page of a host. */
export type HostAnswer = {
  host: string;
  /** 0 if there was no response; `problem` says why. */
  status: number;
  /** The `Server` header; empty if absent. */
  server: string;
  /** The `Date` header; empty if absent. */
  date: string;
  /** The beginning of the body. */
  text: string;
  problem: string | null;
  /** Whether there was a connection, and only the response did not come in time. */
  isLate: boolean;
  /** Why a browser would not trust the certificate; `null` if it would, or for plain HTTP. */
  distrust: string | null;
  /** When the certificate begins and ends; `null` for plain HTTP. */
  certificateFrom: Date | null;
  certificateUntil: Date | null;
  /** The certificate's SHA-256; empty for plain HTTP. */
  certificateId: string;
};
