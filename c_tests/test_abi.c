/* dz_abi_describe: what the library says of every public struct, field, enum and value is what the compiler of this file
 * says, and there are no others. abi_rows.h is generated from the header's own parse. */
#include "check.h"

static const dz_abi *abi;
static uint32_t structs, fields, enums, values;

static void begin_struct(const char *name, size_t size, size_t alignment, uint32_t count)
{
    if (!CHECK(structs < abi->struct_count)) return;
    CHECK(strcmp(abi->structs[structs].name, name) == 0);
    CHECK_EQ(abi->structs[structs].size, size);
    CHECK_EQ(abi->structs[structs].alignment, alignment);
    CHECK_EQ(abi->structs[structs].field_count, count);
    CHECK_EQ(abi->structs[structs].reserved, 0);
    structs++;
    fields = 0;
}

static void has_field(const char *name, size_t offset, size_t size)
{
    const dz_abi_struct *of = &abi->structs[structs - 1];
    if (!CHECK(fields < of->field_count)) return;
    check_that(strcmp(of->fields[fields].name, name) == 0, __FILE__, __LINE__, of->name, name);
    CHECK_EQ(of->fields[fields].offset, offset);
    CHECK_EQ(of->fields[fields].size, size);
    fields++;
}

static void begin_enum(const char *name, size_t size, uint32_t count)
{
    if (!CHECK(enums < abi->enum_count)) return;
    CHECK(strcmp(abi->enums[enums].name, name) == 0);
    CHECK_EQ(size, 4);
    CHECK_EQ(abi->enums[enums].value_count, count);
    enums++;
    values = 0;
}

static void has_value(const char *name, int32_t value)
{
    const dz_abi_enum *of = &abi->enums[enums - 1];
    if (!CHECK(values < of->value_count)) return;
    check_that(strcmp(of->values[values].name, name) == 0, __FILE__, __LINE__, of->name, name);
    CHECK_EQ((uint32_t)of->values[values].value, (uint32_t)value);
    values++;
}

static void table(void)
{
    abi = dz_abi_describe();
    structs = fields = enums = values = 0;
    if (!CHECK(abi != NULL)) return;
    CHECK(abi == dz_abi_describe());
    CHECK_EQ(abi->version, dz_version());
    CHECK_EQ(abi->pointer_size, sizeof(void *));
#define STRUCT(type, count) begin_struct(#type, sizeof(type), DZ_ALIGNOF_(type), count);
#define FIELD(type, field) has_field(#field, offsetof(type, field), sizeof(((type *)NULL)->field));
#define ENUM(type, count) begin_enum(#type, sizeof(type), count);
#define VALUE(type, value) has_value(#value, (int32_t)value);
#include "abi_rows.h"
    CHECK_EQ(structs, abi->struct_count);
    CHECK_EQ(enums, abi->enum_count);
    CHECK(structs > 20 && enums > 10);
}

int main(void)
{
    RUN(table);
    return check_done();
}
