import assert from "node:assert/strict";
import fc from "fast-check";
import { isPublicAddress } from "../../../../src/node/web/publicAddress.js";

describe("isPublicAddress", () => {
  it("knows what is not the internet", () => {
    const inside = [
      "0.0.0.0",
      "10.1.2.3",
      "100.64.0.1",
      "100.100.100.200",
      "127.0.0.1",
      "127.255.255.255",
      "168.63.129.16",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "192.0.0.192",
      "192.0.2.1",
      "198.18.0.1",
      "203.0.113.9",
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "fe80::1",
      "fc00::1",
      "fd00:ec2::254",
      "ff02::1",
      "::ffff:10.0.0.1",
      "::ffff:8.8.8.8",
      "64:ff9b::808:808",
      "2002:808:808::",
      "2001::1",
      "2001:db8::1",
      "localhost",
      "",
      "8.8.8",
      "1.1.1.1.",
      "0x7f.1",
      "fe80::1%eth0",
    ];
    for (const address of inside) assert.equal(isPublicAddress(address), false, address);
  });

  it("knows the internet", () => {
    const outside = ["8.8.8.8", "172.32.0.1", "192.169.0.1", "169.253.0.1", "1.1.1.1"];
    outside.push("2606:4700:4700::1111", "2a00:1450:4001:80b::200e");
    for (const address of outside) assert.equal(isPublicAddress(address), true, address);
  });

  it("never throws, and takes no IPv4 address in disguise", () => {
    fc.assert(fc.property(fc.string(), (text) => void isPublicAddress(text)));
    fc.assert(fc.property(fc.ipV4(), (ip) => !isPublicAddress(`::ffff:${ip}`)));
  });
});
