import { BlockList, isIP } from "node:net";

/**
 * IPv4 networks that do not belong to the internet: the machine's own and local networks, carriers',
 * test and documentation networks, multicast
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), and the one address outside of them at
 * which a cloud's machines find their metadata.
 */
const notPublic4: readonly [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Networks in the internet's part of IPv6 that lead elsewhere: Teredo and the like, documentation, 6to4. */
const notPublic6: readonly [network: string, prefix: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const refused = new BlockList();
for (const [network, prefix] of notPublic4) refused.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of notPublic6) refused.addSubnet(network, prefix, "ipv6");
const internet6 = new BlockList();
// Addresses that wrap an IPv4 address (::ffff:…, 64:ff9b::…) are outside of this network, and so are
// all local ones.
internet6.addSubnet("2000::", 3, "ipv6");

/** Returns whether an IP address means the same machine to everyone on the internet; `false` if that is unsure. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refused.check(address, "ipv4");
    case 6:
      return internet6.check(address, "ipv6") && !refused.check(address, "ipv6");
    default:
      return false;
  }
}
