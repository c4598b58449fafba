// Texts without names: source code and JSON of pinned packages, and generated log lines.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Random } from "./random";

const MODULES = fileURLToPath(new URL("../../node_modules/", import.meta.url));
/** Packages under the MIT or Apache-2.0 licence, with their number of excerpts. */
const PACKAGES = [
  ["typescript/lib/typescript.js", 2500],
  ["typescript/lib/lib.dom.d.ts", 900],
  ["zod", 900],
  ["libphonenumber-js", 500],
  ["ipaddr.js", 200],
  ["react-dom/cjs", 900],
  ["next/dist/server", 2000],
  ["next/dist/build", 1500],
  ["next/dist/client", 900],
  ["vitest/dist", 900],
] as const;
const NAMED = /copyright|author|licen[cs]e|contributor|credit|thanks|maintain|\bby [A-Z]|@[a-z]+\b.*[A-Z]|Mr\.|Dr\./i;

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:[cm]?[jt]s|json)$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

function excerpts(random: Random, path: string, count: number): string[] {
  const files = filesOf(join(MODULES, path));
  const contents = new Map<string, string[]>();
  return Array.from({ length: count }, () => {
    const file = random.pick(files);
    let lines = contents.get(file);
    if (!lines)
      contents.set(
        file,
        (lines = readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line.length < 300 && !NAMED.test(line))),
      );
    const from = random.between(0, Math.max(0, lines.length - 12));
    return lines.slice(from, from + random.between(2, 12)).join("\n");
  });
}

const words = (list: string) => list.split(" ");
const LEVELS = words(
  "INFO WARN WARNING ERROR DEBUG TRACE FATAL NOTICE SEVERE Info Warning Error Debug Notice Critical CRIT E W I D",
);
const PARTS = words(
  "Data Node Block Task Job Container Resource Session Request Response Http Index Cache Shard Memory Disk File Storage Broker Topic Leader Election Quorum Peer Listener Handler Manager Service Worker Scheduler Dispatcher Monitor Power Window Screen Activity Bluetooth Wifi Audio Sensor Step Health Alarm Kernel Driver Packet Socket Thread Pool Queue Executor Allocator Replica Snapshot Journal Commit Transaction Auth Token Policy Account Update Package Component Servicing Stack Trigger Event Mapper Reducer Output Committer Launcher Registry Proxy Gateway Router Balancer Backup Restore Image Volume Instance Hypervisor Compute Network Port Switch Link Interface Bridge Tunnel",
);
const DAEMONS = words(
  "sshd kernel systemd crond CROND dhcpd ntpd named httpd nginx postfix/smtpd cupsd su sudo xinetd rpc.statd ftpd gpm syslogd syslog-ng portmap nfslock sendmail snmpd dockerd kubelet containerd etcd coredns redis postgres mysqld rsyslogd NetworkManager avahi-daemon bluetoothd auditd polkitd ib_sm.x gmond gmetad pbs_mom",
);
const VERBS = words(
  "Starting Started Stopping Stopped Received Receiving Sending Sent Closing Closed Opened Opening Connecting Connected Accepted Rejected Refused Failed Retrying Loading Loaded Saved Saving Deleting Deleted Creating Created Allocated Released Registered Unregistered Adding Added Removing Removed Scheduled Executing Finished Completed Aborted Killed Timeout Waiting Assigned Running Processing Verifying Verified Initialized Initializing Recovering Replicating Serving Binding Listening Skipping Ignoring Using Setting Reading Writing Merging Fetching Flushing Rolling Resolved Attempting Terminating Mounted Unmounted Detected Enabled Disabled Cannot Unable Invalid Unexpected Missing Expired Denied Warning Error Notification Session Connection Client Server Block Task Container Executor Cluster Node Leader Follower Quorum",
);
const REST = [
  "for user root",
  "from /10.0.{n}.{n}:{p}",
  "to {ip}",
  "on port {p}",
  "in {n} ms",
  "with id {hex}",
  "of size {p}",
  "after {n} attempts",
  "state={W}",
  "status: {W}",
  "reason: {W} {w}",
  "at {C}.{m}({C}.java:{n})",
  "({C})",
  "[{C}]",
  "<{C}>",
  "'{W}'",
  '"{W}"',
  "code={n}",
  "terminating",
  "succeeded",
  "failed",
  "because of {W}Exception",
  "caused by java.io.{W}Exception: {W} {w}",
  "Thread-{n}",
  "blk_{p}{p}",
  "{W} {W}",
  "uid=0 euid=0 tty=NODEVssh ruser= rhost={ip}",
  "BLOCK* {C}.{m}: {w} {w}",
  "- {W}",
  ": {w} {w} {w}",
  "{W}: {n}",
  "{w}: {W}",
];
const HEADS = [
  "{y}-{n}-{n} {n}:{n}:{n},{n} {L} {c}.{C}: ",
  "{y}-{n}-{n}T{n}:{n}:{n}.{n}Z {L} [{C}] ",
  "{M} {n} {n}:{n}:{n} {h} {d}[{p}]: ",
  "[{D} {M} {n} {n}:{n}:{n} {y}] [{l}] ",
  "{y}-{n}-{n} {n}:{n}:{n}, {L}                  CBS    ",
  "{n}-{n} {n}:{n}:{n}.{n}  {p}  {p} {I} {C}: ",
  "[{n}.{n} {n}:{n}:{n}] {C}.exe - ",
  "{y}{n}{n}-{n}:{n}:{n}:{n}|{C}|{p}|",
  "- {p} {y}.{n}.{n} R{n}-M{n}-N{n}-C:J{n}-U{n} RAS KERNEL {L} ",
  "{n}/{n}/{n} {n}:{n}:{n} {L} {C}: ",
  "{L}: ",
  "{L} {C} - ",
  "{p} {h} {w} ",
  "{M} {n} {n}:{n}:{n} {d}: ",
  "<{n}>{M} {n} {n}:{n}:{n} {C} ",
];

function line(random: Random): string {
  const part = () => random.pick(PARTS);
  const fillers: Record<string, () => string> = {
    y: () => `20${random.between(10, 29)}`,
    n: () => String(random.between(0, 59)).padStart(2, "0"),
    p: () => String(random.between(1000, 65535)),
    ip: () => Array.from({ length: 4 }, () => random.between(0, 255)).join("."),
    hex: () => Array.from({ length: 12 }, () => random.between(0, 15).toString(16)).join(""),
    L: () => random.pick(LEVELS),
    l: () => random.pick(LEVELS).toLowerCase(),
    I: () => random.pick(words("V D I W E")),
    C: () => part() + part() + (random.chance(0.5) ? part() : ""),
    c: () =>
      random.pick(
        words(
          "dfs org.apache.hadoop.mapreduce.v2.app nova.compute storage executor.Executor o.a.z.server com.example.app",
        ),
      ),
    m: () => part().toLowerCase() + part(),
    W: () => (random.chance(0.3) ? part() : random.pick(VERBS)),
    w: () => (random.chance(0.5) ? part() : random.pick(VERBS)).toLowerCase(),
    M: () => random.pick(words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")),
    D: () => random.pick(words("Mon Tue Wed Thu Fri Sat Sun")),
    h: () =>
      random.pick(
        words(
          "combo LabSZ authorMacBook-Pro calvisitor-10-105-160-95 dn228 tbird-admin1 node-12 web-01 db2 ip-10-0-3-7 R02 localhost",
        ),
      ),
    d: () => random.pick(DAEMONS),
  };
  let text =
    random.pick(HEADS) +
    random.pick(VERBS) +
    (random.chance(0.5) ? ` ${random.pick(PARTS)}` : "") +
    (random.chance(0.5) ? " {w}" : "");
  const count = random.between(0, 3);
  for (let at = 0; at < count; at++) text += ` ${random.pick(REST)}`;
  for (let depth = 0; depth < 2; depth++)
    text = text.replace(/\{(\w+)\}/g, (whole, slot: string) => fillers[slot]?.() ?? whole);
  return text;
}

/** Texts in which no word is a name. */
export function codeTexts(random: Random, logs: number): string[] {
  return [
    ...PACKAGES.flatMap(([path, count]) => excerpts(random, path, count)),
    ...Array.from({ length: logs }, () => Array.from({ length: random.between(1, 5) }, () => line(random)).join("\n")),
  ];
}
