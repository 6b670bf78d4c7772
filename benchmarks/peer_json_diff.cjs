// The npm package json-diff at work on plain invoices: the comparison that omni's accuracy is counted from.
//
//     node peer_json_diff.cjs MODULES GOLD.jsonl PRED.jsonl SECONDS
//
// Prints as JSON the documents it got through, the CPU seconds that took, reading included, and the share of
// documents without a difference. Counting the differences is not included.
const fs = require("fs");

const [modules, gold, pred, seconds] = process.argv.slice(2);
const { diff } = require(`${modules}/json-diff`);

const lines = (path) => fs.readFileSync(path, "utf8").trimEnd().split("\n");
const used = (start) => {
  const spent = process.cpuUsage(start);
  return (spent.user + spent.system) / 1e6;
};

const start = process.cpuUsage();
const golds = lines(gold);
const preds = lines(pred);
let documents = 0;
let same = 0;
while (documents < golds.length && used(start) < Number(seconds)) {
  same += diff(JSON.parse(golds[documents]), JSON.parse(preds[documents])) === undefined;
  documents += 1;
}
console.log(JSON.stringify({ documents, seconds: used(start), score: same / documents }));
