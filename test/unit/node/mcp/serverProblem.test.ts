import assert from "node:assert/strict";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { serverProblem } from "../../../../src/node/mcp/serverProblem.js";

describe("what is told of a failure of an MCP server", () => {
  it("has the status with which the server refused, beside its words", () => {
    const refusal = new StreamableHTTPError(401, "Error POSTing to endpoint: no token");
    assert.equal(serverProblem(refusal), "HTTP 401: Error POSTing to endpoint: no token");
    const other = new StreamableHTTPError(-1, "Unexpected content type: text/html");
    assert.equal(serverProblem(other), "Streamable HTTP error: Unexpected content type: text/html");
  });
});
