import { schemaDiff } from "./schema-diff";

process.stdout.write((await schemaDiff()) || "-- No difference: the migrations lead to schema.prisma.\n");
process.exit(0);
