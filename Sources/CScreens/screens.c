#include "CScreens.h"

// Clang takes #embed in every version of C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_FUNCTION(name)                              \
  const unsigned char *viewdelta_##name(size_t *size) { \
    *size = sizeof name;                                 \
    return name;                                         \
  }

static const unsigned char catalog_data[] = {
#embed "../Screens/Catalog/Demo/catalogs.json"
};
FILE_FUNCTION(catalog_data)

static const unsigned char catalog_openapi[] = {
#embed "../Screens/Catalog/openapi.json"
};
FILE_FUNCTION(catalog_openapi)

static const unsigned char form_data[] = {
#embed "../Screens/Form/Demo/forms.json"
};
FILE_FUNCTION(form_data)

static const unsigned char form_openapi[] = {
#embed "../Screens/Form/openapi.json"
};
FILE_FUNCTION(form_openapi)

static const unsigned char podcasts_data[] = {
#embed "../Screens/Podcasts/Demo/podcasts.json"
};
FILE_FUNCTION(podcasts_data)

static const unsigned char podcasts_openapi[] = {
#embed "../Screens/Podcasts/openapi.json"
};
FILE_FUNCTION(podcasts_openapi)

static const unsigned char profile_data[] = {
#embed "../Screens/Profile/Demo/demo.json"
};
FILE_FUNCTION(profile_data)

static const unsigned char profile_openapi[] = {
#embed "../Screens/Profile/openapi.json"
};
FILE_FUNCTION(profile_openapi)

static const unsigned char scoreboards_data[] = {
#embed "../Screens/Scoreboards/Demo/scoreboards.json"
};
FILE_FUNCTION(scoreboards_data)

static const unsigned char scoreboards_openapi[] = {
#embed "../Screens/Scoreboards/openapi.json"
};
FILE_FUNCTION(scoreboards_openapi)
