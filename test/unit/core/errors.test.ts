import assert from "node:assert/strict";
import { FileError, ModelError, UserError } from "../../../src/core/errors.js";

describe("a UserError", () => {
  it("has the words of its template with the parameters in them", () => {
    const error = new UserError("jobHeld", "{holder} (process {pid}) runs {job}; stop {job}.", {
      holder: "Terminal",
      pid: 7,
      job: "trip",
    });
    assert.equal(error.message, "Terminal (process 7) runs trip; stop trip.");
    assert.deepEqual(
      [error.name, error.code, error.params],
      ["UserError", "jobHeld", { holder: "Terminal", pid: 7, job: "trip" }],
    );
  });

  it("leaves braces in values, and those that name no parameter, as they are", () => {
    const braces = new UserError("braces", "{first} and {second}", {
      first: "{second}",
      second: "$&",
    });
    assert.equal(braces.message, "{second} and $&");
    const inherited = new UserError<string>("inherited", "{toString} {}");
    assert.equal(inherited.message, "{toString} {}");
  });

  it("takes exactly the parameters of its template", () => {
    // @ts-expect-error -- A parameter is missing.
    new UserError("missing", "{a} and {b}", { a: 1 });
    // @ts-expect-error -- There are no parameters.
    new UserError("none", "{a}");
    // @ts-expect-error -- There is one too many.
    new UserError("surplus", "{a}", { a: 1, b: 2 });
    // @ts-expect-error -- The template has no placeholder.
    new UserError("plain", "Plain.", { a: 1 });
    // @ts-expect-error -- A parameter is missing.
    new FileError("EACCES", "a", "No permission to {doing} {path}.", { path: "a" });
    // @ts-expect-error -- There is one too many.
    const model = new ModelError("server", "{address} failed.", { address: "a", status: 5 });
    assert.equal(model.message, "a failed.");
  });
});
