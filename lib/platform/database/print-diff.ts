import { schemaDiff } from "./schema-diff";

process.stdout.write((await schemaDiff()) || "-- No difference: the migrations match schema.prisma.\n");
process.exit(0);
