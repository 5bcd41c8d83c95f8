import type { ServerResponse } from "node:http";
/** What the test's server says to a request. */
export type Answer = (response: ServerResponse, body: Record<string, unknown>) => void;
export declare function raw(body: string, type?: string): Answer;
/** Returns a stream of these chunks and its end, cut into network packets where it hurts. */
export declare function sse(...chunks: readonly object[]): Answer;
export declare function delta(content: object, finish_reason?: string | null): object;
export declare function refuse(status: number, message: string, code?: string | null): Answer;
