import { type Words, words } from "../text/words.js";
import type { Word } from "./line/word.js";
import { programName } from "./line/wrappers.js";

const disks = words("It changes disks or what is mounted.");
const users = words("It changes users, or works as another one.");
const network = words("It changes the network or its firewall.");
const system = words("It changes how the system runs.");
const outside = words("It changes what is installed on the system.");

const names: readonly (readonly [why: Words, names: string])[] = [
  [
    disks,
    "mkfs mke2fs mkswap mkdosfs mkntfs swapon swapoff fdisk sfdisk cfdisk gdisk sgdisk parted partprobe partx wipefs blkdiscard mount umount fusermount losetup cryptsetup dmsetup pvcreate vgcreate lvcreate vgremove lvremove pvremove zpool zfs mdadm hdparm sdparm tune2fs resize2fs debugfs fsck badblocks mknod format diskpart diskutil hdiutil chkdsk mountvol vssadmin fsutil manage-bde",
  ],
  [
    users,
    "sudo sudoedit doas su pkexec runuser gosu su-exec setpriv run0 runas useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup gpasswd passwd chpasswd chsh chfn chage newusers visudo vipw vigr newgrp dscl sysadminctl takeown net net1",
  ],
  [
    network,
    "iptables ip6tables iptables-restore ip6tables-restore iptables-legacy iptables-nft nft ufw firewall-cmd pfctl ipfw ebtables arptables netsh brctl tc nmcli nmtui networksetup rfkill wg-quick",
  ],
  [
    system,
    "systemctl service initctl rc-service rc-update launchctl crontab at batch atrm systemd-run systemd-nspawn machinectl loginctl hostnamectl timedatectl shutdown reboot halt poweroff init telinit kexec insmod rmmod modprobe depmod dkms update-grub grub-install efibootmgr bcdedit chroot nsenter unshare setenforce setcap chattr apparmor_parser update-alternatives ldconfig dpkg-reconfigure hwclock sc schtasks reg regedit wmic wevtutil nvram csrutil spctl kextload pmset defaults",
  ],
];
const known = new Map(
  names.flatMap(([why, list]) => list.split(" ").map((name) => [name, why] as const)),
);

/** Programs whose words decide, because most of what they are asked for is harmless. */
const byWords: Readonly<Record<string, readonly [why: Words, changes: RegExp]>> = {
  ip: [network, /^(add|append|change|del|delete|exec|flush|replace|set|up|down)$/],
  ifconfig: [network, /^(up|down|add|del|netmask|mtu)$|^\d+\.\d/],
  route: [network, /^(add|del|delete|flush|change)$/],
  hostname: [network, /^[^-]/],
  sysctl: [system, /=|^(-[a-z]*[wp]|--write|--load|--system)/],
  date: [system, /^(-[a-zA-Z]*s|--s|[^-+])/],
  apt: [outside, /^[a-z-]*(install|remove|purge|upgrade|edit-sources)$/],
  "apt-get": [outside, /^[a-z-]*(install|remove|purge|upgrade|build-dep)$/],
  dpkg: [outside, /^(-[irP]|--(install|remove|purge|unpack|configure))$/],
  dnf: [outside, /^[a-z-]*(install|remove|erase|upgrade|update|downgrade)$/],
  yum: [outside, /^[a-z-]*(install|remove|erase|upgrade|update|downgrade)$/],
  zypper: [outside, /^(in|rm|up|dup|install|remove|update)$/],
  rpm: [outside, /^(-[a-zA-Z]*[iUeF]|--(install|upgrade|erase|import))/],
  pacman: [outside, /^(-[SRU]|--(sync|remove|upgrade)$)/],
  apk: [outside, /^(add|del|upgrade|fix)$/],
  snap: [outside, /^(install|remove|refresh|set)$/],
};
const containers = /^(docker|podman|nerdctl)$/;
/** Matches arguments that give a container access to the machine around it. */
const openContainer =
  /^(--privileged|--(pid|ipc|uts|userns|cgroupns|network|net)=host$|--device|--cap-add|--security-opt)|^(host|ALL|SYS_[A-Z]+)$/;
const mountedOutside = /^(?:(?:-v|--volume=)?(?:\/|~|\.\.)[^:]*:|.*\b(?:src|source)=(?:\/|~|\.\.))/;

/**
 * Returns why a program needs approval whatever is allowed: it mounts, formats, or changes users,
 * firewalls or the system, which nothing in a workspace calls for.
 *
 * @param typed with a literal name first
 */
export function systemProblem(typed: readonly Word[]): Words | undefined {
  const name = programName(typed[0]);
  const args = typed.slice(1).map(({ text }) => text);
  const why =
    known.get(name) ?? known.get(name.replace(/^(mkfs|fsck|newfs|mount|umount)[._-].*/, "$1"));
  if (why !== undefined) {
    const isQuestion = args.length === 1 && /^(--version|--help|-V)$/.test(args[0] ?? "");
    return isQuestion ? undefined : why;
  }
  if (containers.test(name)) {
    const opens = args.some((arg) => openContainer.test(arg) || mountedOutside.test(arg));
    return opens ? words("It lets a container at the machine around it.") : undefined;
  }
  if (!Object.hasOwn(byWords, name)) return undefined;
  const [changes, pattern] = byWords[name] ?? [];
  const isChange = date(name, args).some((arg) => pattern?.test(arg));
  return isChange ? changes : undefined;
}

/** Returns the arguments without the values of flags with which `date` only shows a time. */
function date(name: string, args: readonly string[]): readonly string[] {
  if (name !== "date") return args;
  return args.filter(
    (_, at) => !/^-[a-zA-Z]*[drfI]$|^--(date|reference|file)$/.test(args[at - 1] ?? ""),
  );
}
